import { Button } from 'antd'
import type { FC } from 'react'
import { automations } from '../../../../contract/automation/calls.ts'
import { describeRefusal } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import type { ResultsOf } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { sameValue } from '../../../lib/same-value.ts'
import page from '../../../ui/page/page.module.css'
import { useState } from 'react'
import styles from './editor.module.css'
import type { DraftInput } from './use-check.ts'
import type { RuleKind } from '../rules/kinds.ts'

/** Number of days evaluated. */
const DAYS = 30

interface Tried {
  input: DraftInput
  results: ResultsOf<typeof automations.tryAutomation>
}

/** Number of times a rule would have run in recent days. The user starts the evaluation with a button, because it is expensive. */
export const TryRule: FC<{ input: DraftInput | undefined; kind: RuleKind }> = ({ input, kind }) => {
  const t = useT()
  const may = useMay('device', 'Read')
  const [tried, setTried] = useState<Tried>()
  const trying = useAction(automations.tryAutomation, { shows: 'failure' })
  if (!may) return null
  const go = async () => {
    if (!input) return
    const results = await trying.run({ ...input, Days: DAYS })
    if (results) setTried({ input, results })
  }
  const isCurrent = tried && input && sameValue(tried.input, input)
  return (
    <div className={`${page.tightRow} ${styles.tried}`}>
      <Button disabled={!input} loading={trying.busy} onClick={() => void go()}>
        {t('automation:rule.try.button', { count: DAYS })}
      </Button>
      <span role="status">
        {trying.failure !== undefined
          ? describeRefusal(trying.failure)
          : isCurrent && <Result {...tried} kind={kind} />}
      </span>
    </div>
  )
}

function Result({ results, kind }: Tried & { kind: RuleKind }) {
  const t = useT()
  const language = useLanguage()
  const { Runs, Blocked, kWh, Cost, CoveredDays, Uncovered, Unknown } = results
  const figure = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 1 })
  const blocked = Object.values(Blocked).reduce((sum, count) => sum + count, 0)
  // Nothing was evaluated, so show no count.
  if (Uncovered !== null && Uncovered !== 'brief')
    return <>{t(`automation:rule.try.uncovered.${Uncovered}`)}</>
  const covered = Uncovered
    ? t(`automation:rule.try.uncovered.${Uncovered}`)
    : t('automation:rule.try.covered', { days: figure(CoveredDays) })
  return (
    <>
      {[
        t(kind === 'alarm' ? 'automation:rule.try.raised' : 'automation:rule.try.runs', {
          count: Runs.length,
          days: DAYS,
        }),
        ...(kWh === null ? [] : [t('automation:rule.try.energy', { kWh: figure(kWh) })]),
        ...(Cost === null ? [] : [t('automation:rule.try.cost', { cost: figure(Cost) })]),
        ...(blocked > 0 ? [t('automation:rule.try.blocked', { count: blocked })] : []),
        ...(CoveredDays < DAYS ? [covered] : []),
        ...(Unknown.length > 0 ? [t('automation:rule.try.unknown', { count: Unknown.length })] : []),
      ].join(t('automation:rule.try.comma'))}
    </>
  )
}
