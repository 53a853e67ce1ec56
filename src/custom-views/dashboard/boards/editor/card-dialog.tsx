import { Button } from 'antd'
import { useDeferredValue, useState } from 'react'
import { may, SOMEWHERE } from '../../../../../contract/kernel/permissions.ts'
import {
  CARD_KINDS,
  CARDS,
  LAST_ROW,
  RIGHTS_OF_CARD,
  type CardKind,
  type KnownCard,
} from '../../../../../contract/dashboards/cards.ts'
import { describeRight } from '../../../../data/failure.ts'
import { useSubject } from '../../../../data/session.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { randomId } from '../../../../lib/random-id.ts'
import { SearchBox } from '../../../../ui/inputs/search-box.tsx'
import page from '../../../../ui/page/page.module.css'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import styles from '../../common/boards.module.css'
import { CardView } from '../card-view.tsx'
import { KINDS } from '../kinds/kinds.ts'
import { CardFields, type Draft } from './card-fields.tsx'
import { foldText } from '../../../../../contract/kernel/text.ts'
import { Drawer } from '../../../../ui/page/dialog.tsx'

interface Props {
  /** The card to edit; undefined for a new one. */
  card: KnownCard | undefined
  /** The first row below all cards, where a new card goes. */
  below: number
  homes: readonly HomeWithRooms[]
  put: (card: KnownCard) => void
  close: () => void
}

/** Catalog of cards, and the settings of one card with a live preview. */
export default function CardDialog({ card, below, homes, put, close }: Props) {
  const t = useT()
  const [draft, setDraft] = useState<Draft | undefined>(card)
  const startCard = (kind: CardKind) => {
    const [first] = homes
    setDraft({
      CardID: randomId(),
      Kind: kind,
      X: 0,
      Y: Math.min(below, LAST_ROW),
      ...KINDS[kind].size,
      ...('HomeID' in CARDS[kind].shape && first && { HomeID: first.HomeID }),
      ...(kind === 'chart' && { Span: 'day' as const }),
    })
  }
  const parsed = draft && CARDS[draft.Kind].safeParse(draft)
  const validCard = parsed?.success ? (parsed.data as KnownCard) : undefined
  return (
    <Drawer
      open
      title={draft ? t(`boards:kinds.${draft.Kind}.name`) : t('boards:catalogue')}
      onClose={close}
      footer={
        draft && (
          <div className={page.actions}>
            {!card && <Button onClick={() => setDraft(undefined)}>{t('boards:others')}</Button>}
            <Button type="primary" disabled={!validCard} onClick={() => validCard && put(validCard)}>
              {t(card ? 'boards:apply' : 'boards:addIt')}
            </Button>
          </div>
        )
      }
    >
      {draft ? (
        <div className={page.stack}>
          <p className={page.hint}>{t(`boards:kinds.${draft.Kind}.about`)}</p>
          <CardFields draft={draft} homes={homes} change={setDraft} />
          <Preview card={validCard} homes={homes} />
        </div>
      ) : (
        <Catalogue choose={startCard} />
      )}
    </Drawer>
  )
}

/** Kinds of cards, searchable by name and description; shows which right is missing for a kind. */
function Catalogue({ choose }: { choose: (kind: CardKind) => void }) {
  const t = useT()
  const subject = useSubject()
  const [search, setSearch] = useState('')
  const searchText = foldText(search.trim())
  const matchingKinds = CARD_KINDS.map((kind) => ({
    kind,
    name: t(`boards:kinds.${kind}.name`),
    about: t(`boards:kinds.${kind}.about`),
    missing: RIGHTS_OF_CARD[kind].find(
      ({ feature, operation }) => !subject || !may(subject, feature, operation, SOMEWHERE),
    ),
  })).filter(({ name, about }) => foldText(`${name} ${about}`).includes(searchText))
  return (
    <div className={page.stack}>
      <SearchBox value={search} label={t('boards:search')} pause={0} search={setSearch} />
      {matchingKinds.length === 0 && <p className={page.hint}>{t('boards:noneFound')}</p>}
      <ul className={page.stack}>
        {matchingKinds.map(({ kind, name, about, missing }) => (
          <li key={kind}>
            <button
              type="button"
              className={`${page.option} ${page.field} ${page.padded} ${page.fill} ${styles.offer}`}
              disabled={missing !== undefined}
              onClick={() => choose(kind)}
            >
              <strong>{name}</strong>
              <span className={page.small}>{missing ? describeRight(missing) : about}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Preview({ card, homes }: { card: KnownCard | undefined; homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const shownCard = useDeferredValue(card)
  return (
    <section aria-label={t('boards:preview')} className={page.column}>
      <h3 className={page.hint}>{t('boards:preview')}</h3>
      {shownCard ? (
        <div className={styles.preview} inert>
          <CardView card={shownCard} homes={homes} />
        </div>
      ) : (
        <p className={`${page.dashed} ${page.padded} ${page.muted}`}>{t('boards:incomplete')}</p>
      )}
    </section>
  )
}
