import { memo } from 'react'
import { may, SOMEWHERE } from '../../../../contract/kernel/permissions.ts'
import {
  isKnownCard,
  rightsOfCard,
  type Card,
  type CardKind,
  type KnownCard,
} from '../../../../contract/dashboards/cards.ts'
import { describeRight } from '../../../data/failure.ts'
import { useSubject } from '../../../data/session.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import type { LazyPart } from '../../../ui/page/lazy.tsx'
import { CardFrame, Empty } from '../cards/card-frame.tsx'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { CardProps } from './kinds/card-props.ts'
import { KINDS } from './kinds/kinds.ts'

/** Title of a card: its own, else that of its kind. */
export const titleOf = (card: Card): string =>
  card.Title ??
  (isKnownCard(card) ? translate(`boards:kinds.${card.Kind}.name`) : translate('boards:later.name'))

interface Props {
  card: Card
  homes: readonly HomeWithRooms[]
}

/** A card, or the reason it cannot be drawn: unknown kind of a later version, missing right, deleted site. */
export function CardView({ card, homes }: Props) {
  const t = useT()
  const subject = useSubject()
  const empty = (message: string) => (
    <CardFrame title={titleOf(card)}>
      <Empty why={message} />
    </CardFrame>
  )
  if (!isKnownCard(card)) return empty(t('boards:later.why'))
  const missing = rightsOfCard(card).find(
    ({ feature, operation }) => !subject || !may(subject, feature, operation, SOMEWHERE),
  )
  if (missing) return empty(describeRight(missing))
  if ('HomeID' in card && card.HomeID !== null && !homes.some(({ HomeID }) => HomeID === card.HomeID))
    return empty(t('boards:siteGone'))
  return <Drawn card={card} homes={homes} />
}

/** Position is ignored: it changes whenever another card is dragged past, and does not affect the contents. */
function isSameInside({ X: _x, Y: _y, ...a }: KnownCard, { X: _toX, Y: _toY, ...b }: KnownCard): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Skips rendering when only properties that the card does not use have changed. */
const Drawn = memo(
  function Drawn({ card, homes }: Props & { card: KnownCard }) {
    const Kind = KINDS[card.Kind].Card as unknown as LazyPart<CardProps<CardKind>>
    return <Kind card={card} title={card.Title} homes={homes} />
  },
  (a, b) => a.homes === b.homes && (a.card === b.card || isSameInside(a.card, b.card)),
)
