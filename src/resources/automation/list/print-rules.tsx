import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState, type FC } from 'react'
import { useHomes } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { describeFailure } from '../../../data/failure.ts'
import { notices } from '../../../data/notices.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { ListedRule, RuleKind } from '../rules/kinds.ts'
import styles from './rule-list.module.css'
import { roomsSetBy } from './use-rule-filter.tsx'
import { describeDraft } from '../words/describe-draft.ts'
import { RuleText } from '../words/rule-text.tsx'
import { type RuleFacts, useSentence } from '../words/use-rule-facts.ts'
import { useRules } from '../rules/use-rules.ts'
import page from '../../../ui/page/page.module.css'

interface Props {
  HomeID: string
  facts: RuleFacts
}

/** Prints all rules of a home that the user may read, as sentences grouped by room. */
export const PrintRules: FC<Props> = (props) => {
  const t = useT()
  const [isWanted, setWanted] = useState(false)
  return (
    <>
      <Button icon={<PrinterOutlined />} loading={isWanted} onClick={() => setWanted(true)}>
        {t('automation:rule.print.button')}
      </Button>
      {isWanted && <Printed {...props} done={() => setWanted(false)} />}
    </>
  )
}

function Printed({ HomeID, facts, done: onDone }: Props & { done: () => void }) {
  const kinds: RuleKind[] = [
    ...(useMay('schedule', 'Read') ? (['schedule'] as const) : []),
    ...(useMay('smart_link', 'Read') ? (['smartLink'] as const) : []),
    ...(useMay('power_meter_alarm', 'Read') ? (['alarm'] as const) : []),
  ]
  const { rows, error } = useRules(HomeID, kinds)
  const isReady = rows !== undefined
  useEffect(() => {
    if (error) {
      notices.error(() => describeFailure(error))
      onDone()
    }
    if (error || !isReady) return
    window.addEventListener('afterprint', onDone, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onDone)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- printed once
  }, [isReady, error])
  return rows ? <PrintedRules HomeID={HomeID} facts={facts} rows={rows} /> : null
}

/** Print view of a home's rules, grouped by the rooms that they control, each with its owner. */
const PrintedRules: FC<Props & { rows: readonly ListedRule[] }> = ({ HomeID, facts, rows }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const sentence = useSentence(facts.names)
  const rooms = rows.map((rule) => ({ rule, rooms: roomsSetBy(rule, facts) }))
  const groups = [
    ...facts.actions.rooms.map(({ RoomID, RoomName }) => ({
      key: RoomID,
      title: RoomName,
      rules: rooms.filter((one) => one.rooms.has(RoomID)).map(({ rule }) => rule),
    })),
    {
      key: -1,
      title: t('automation:rule.print.noRoom'),
      rules: rooms.filter((one) => one.rooms.size === 0).map(({ rule }) => rule),
    },
  ].filter(({ rules }) => rules.length > 0)
  return (
    <section
      className={`print-alone print-black ${page.onPaper} ${styles.printed}`}
      aria-label={t('automation:rule.print.title', { home: home?.HomeName ?? '' })}
    >
      <h1>{t('automation:rule.print.title', { home: home?.HomeName ?? '' })}</h1>
      <p>{t('automation:rule.print.at', { at: formatWhen(now, language, home?.TimeZone) })}</p>
      {groups.map(({ key, title, rules }) => (
        <section key={key}>
          <h2>{title}</h2>
          <ul>
            {rules.map((rule) => (
              <li key={rule.AutomationID}>
                <b>{rule.AutomationName}</b>
                {rule.State !== 'ready' && ` [${t(`automation:rule.states.${rule.State}`)}]`}
                <RuleText sentence={sentence(describeDraft(rule))} />
                <small>
                  {rule.OwnerName === null
                    ? t('automation:rule.print.noOwner')
                    : t('automation:rule.print.owner', { name: rule.OwnerName })}
                </small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
