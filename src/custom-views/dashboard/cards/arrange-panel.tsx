import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Alert, Button, Switch } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { PersonalConfig } from '../../../../contract/people/personal-calls.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import { notices } from '../../../data/notices.ts'
import { savePersonalConfig, usePersonalConfig } from '../../../data/personal.ts'
import { useTrackedRecord } from '../../../record-kit/use-tracked-record.ts'
import { useUnsavedGuard } from '../../../ui/page/leave-guards.ts'
import {
  DEFAULT_ARRANGEMENT,
  readArrangement,
  writeArrangement,
  type Arrangement,
  type CardName,
} from '../common/arrangement.ts'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'

/**
 * Moves a card before the previous (-1) or after the next (1) offered card; cards that are not offered keep their neighbors. Does nothing
 * at either end.
 */
export function moveCard(
  { order, hidden }: Arrangement,
  card: CardName,
  delta: 1 | -1,
  offeredCards: readonly CardName[],
): Arrangement {
  const visibleOrder = order.filter((name) => offeredCards.includes(name))
  const neighbour = visibleOrder[visibleOrder.indexOf(card) + delta]
  if (neighbour === undefined) return { order, hidden }
  const others = order.filter((name) => name !== card)
  const place = others.indexOf(neighbour) + (delta === 1 ? 1 : 0)
  return { order: others.toSpliced(place, 0, card), hidden }
}

export const showCard = ({ order, hidden }: Arrangement, card: CardName, isShown: boolean): Arrangement => ({
  order,
  hidden: isShown ? hidden.filter((name) => name !== card) : [...hidden, card],
})

interface Props {
  draft: Arrangement
  saved: Arrangement
  /** Cards that this person has the right to see. */
  offeredCards: readonly CardName[]
  change: (draft: Arrangement) => void
  close: () => void
}

/** Editor of the card order: buttons move, show and hide cards; the page below updates at once. */
export default function ArrangePanel({ draft, saved, offeredCards, change, close }: Props) {
  const t = useT()
  const config = usePersonalConfig()
  const tracked = useTrackedRecord<PersonalConfig>({
    record: config,
    parts: [['CustomDashboard']],
    read: ({ CustomDashboard: text }) => {
      const now = writeArrangement(draft, text)
      return { CustomDashboard: now === writeArrangement(readArrangement(text), text) ? text : now }
    },
    write: ({ CustomDashboard }) => change(readArrangement(CustomDashboard)),
  })
  const isChangedElsewhere = tracked.conflicting.length > 0 || tracked.stale
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const isLeavingRef = useRef(false)
  const dirty = writeArrangement(draft) !== writeArrangement(saved)
  useUnsavedGuard(dirty, () => dirty && !isLeavingRef.current)
  useEffect(() => list.current?.querySelector<HTMLElement>('button:enabled')?.focus(), [])
  const cards = draft.order.filter((name) => offeredCards.includes(name))

  function move(card: CardName, delta: 1 | -1) {
    const next = moveCard(draft, card, delta, offeredCards)
    change(next)
    const place = next.order.filter((name) => offeredCards.includes(name)).indexOf(card) + 1
    setMoved(t('cards:moved', { card: t(`dashboard:cards.${card}`), place, count: cards.length }))
  }
  const { busy, run: save } = useAction((change: Parameters<typeof savePersonalConfig>[0], send) =>
    tracked.save(() => savePersonalConfig(change, send)),
  )
  async function saveAndClose() {
    if (dirty) {
      const { changed, seen } = tracked.changes()
      if (!(await save({ ...changed, Seen: seen }))) return
      notices.success(() => translate('personal:updated'))
      isLeavingRef.current = true
    }
    close()
  }
  return (
    <section
      className={`${page.card} ${page.padded} ${page.stack} ${page.below16} ${styles.panel}`}
      aria-labelledby="arrange-title"
    >
      <h2 id="arrange-title">{t('cards:arrangeTitle')}</h2>
      <p className={page.small}>{t('cards:arrangeHow')}</p>
      <ol ref={list} className={page.rows}>
        {cards.map((card, i) => {
          const name = t(`dashboard:cards.${card}`)
          return (
            <li key={card} className={page.tightRow}>
              <Switch
                aria-label={t('cards:show', { card: name })}
                checked={!draft.hidden.includes(card)}
                onChange={(isShown) => change(showCard(draft, card, isShown))}
              />
              <span className={`${page.ellipsis} ${page.grow}`}>{name}</span>
              <Button
                icon={<ArrowUpOutlined />}
                aria-label={t('cards:up', { card: name })}
                title={t('cards:up', { card: name })}
                aria-disabled={i === 0}
                onClick={() => i > 0 && move(card, -1)}
              />
              <Button
                icon={<ArrowDownOutlined />}
                aria-label={t('cards:down', { card: name })}
                title={t('cards:down', { card: name })}
                aria-disabled={i === cards.length - 1}
                onClick={() => i < cards.length - 1 && move(card, 1)}
              />
            </li>
          )
        })}
      </ol>
      <p className="visually-hidden" aria-live="polite">
        {moved}
      </p>
      {isChangedElsewhere && (
        <Alert
          showIcon
          type="warning"
          role="alert"
          message={t('cards:elsewhere')}
          action={
            <>
              <Button onClick={tracked.takeRemote}>{t('cards:takeIt')}</Button>{' '}
              <Button onClick={tracked.keepLocal}>{t('cards:keepThis')}</Button>
            </>
          }
        />
      )}
      <div className={page.buttons}>
        <Button
          type="primary"
          loading={busy}
          disabled={isChangedElsewhere}
          onClick={() => void saveAndClose()}
        >
          {t('cards:done')}
        </Button>
        <Button disabled={busy} onClick={close}>
          {t('cards:cancel')}
        </Button>
        <Button
          disabled={busy || writeArrangement(draft) === writeArrangement(DEFAULT_ARRANGEMENT)}
          onClick={() => change(DEFAULT_ARRANGEMENT)}
        >
          {t('cards:restore')}
        </Button>
      </div>
    </section>
  )
}
