import { energyText, formatNumber, moneyText } from '../../../../contract/kernel/numbers.ts'
import { Alert, Button } from 'antd'
import { type FC, useState, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { type RuleWarning, automations } from '../../../../contract/automation/calls.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { blockerKeyOf, cannotFire } from '../words/cannot-fire.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { describeRefusal } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import { type ResultsOf, callQuery, type RequestOf } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { sameValue } from '../../../lib/same-value.ts'
import type { RuleKind } from '../rules/kinds.ts'

export type DraftInput = RequestOf<typeof automations.checkAutomation>
type Check = ResultsOf<typeof automations.checkAutomation>

/** Debounce before the gateway checks a changed rule, ms. */
const CHECK_DEBOUNCE_MS = 600

/** The gateway's check of a draft; undefined while the draft cannot be saved, or if the gateway returns no result. */
export function useCheck(input: DraftInput | undefined): Check | undefined {
  const [checkedInput, setCheckedInput] = useState<DraftInput>()
  useEffect(() => {
    if (input === undefined || sameValue(input, checkedInput)) return
    const timer = setTimeout(() => setCheckedInput(input), CHECK_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [input, checkedInput])
  const query = useQuery({
    ...callQuery(automations.checkAutomation, checkedInput ?? ({} as DraftInput)),
    enabled: checkedInput !== undefined,
    retry: false,
    placeholderData: (before) => before,
  })
  return input === undefined ? undefined : query.data
}

/** Warnings that keep a rule from working; all others are informational. */
const SERIOUS_KINDS: ReadonlySet<RuleWarning['Kind']> = new Set(['loop', 'deviceGone', 'never'])

const nameOfSubject = ({ PeripheralUID }: RuleWarning, { subjects }: RuleFacts): string =>
  PeripheralUID === null ? '' : subjects.nameOf(PeripheralUID)

/** Locale key of a warning; it depends on whether a loop or a deleted target has a name, and on which of two schedules wins. */
function keyOf({ Kind, PeripheralUID, Other, Wins }: RuleWarning) {
  if (Kind === 'sameTime') return Wins === 'this' ? 'thisWins' : 'otherWins'
  return Kind === 'loop' && !Other
    ? 'itself'
    : Kind === 'deviceGone' && PeripheralUID === null
      ? 'somethingGone'
      : Kind
}

/** Warnings about a rule, updated while it is edited. */
export const Findings: FC<{ findings: readonly RuleWarning[]; facts: RuleFacts }> = ({ findings, facts }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(facts.actions.HomeID)
  if (findings.length === 0) return null
  const describeWarning = (finding: RuleWarning) => {
    const { Other, At } = finding
    const key = keyOf(finding)
    const reason = finding.Blocks && blockerKeyOf(finding.Kind)
    if (reason) return cannotFire(t, reason, nameOfSubject(finding, facts))
    return t(`automation:rule.findings.${key}`, {
      device: nameOfSubject(finding, facts),
      other: Other?.AutomationName ?? '',
      at: At === null ? '' : formatWhen(At, language, zone),
    })
  }
  return (
    <div className={page.tightStack} role="status" aria-label={t('automation:rule.findings.title')}>
      {findings.map((finding, i) => (
        <Alert
          // oxlint-disable-next-line react/no-array-index-key -- warnings have no unique key and keep no state
          key={i}
          showIcon
          type={finding.Blocks || SERIOUS_KINDS.has(finding.Kind) ? 'error' : 'warning'}
          message={describeWarning(finding)}
        />
      ))}
    </div>
  )
}

/** Next run times of a schedule; skipped days are struck out. */
export const NextRuns: FC<{ runs: Check['NextRuns']; HomeID: string }> = ({ runs, HomeID }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  if (runs.length === 0) return null
  const formatTime = (at: number) => formatWhen(at, language, zone, 'near')
  return (
    <section aria-label={t('automation:rule.nextRuns')}>
      <h3>{t('automation:rule.nextRuns')}</h3>
      <ul className={`${page.wideRow} ${page.figures}`}>
        {runs.map(({ At, Struck }) => (
          <li key={At}>
            {Struck ? (
              <del>
                {formatTime(At)}
                <span className="visually-hidden">{t('automation:rule.struck')}</span>
              </del>
            ) : (
              <time dateTime={new Date(At).toISOString()}>{formatTime(At)}</time>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Number of days evaluated. */
const DAYS = 30

interface Trial {
  input: DraftInput
  results: ResultsOf<typeof automations.tryAutomation>
}

/** Number of times a rule would have run in recent days. The user starts the evaluation with a button, because it is expensive. */
export const TryRule: FC<{ input: DraftInput | undefined; kind: RuleKind }> = ({ input, kind }) => {
  const t = useT()
  const may = useMay('device', 'Read')
  const [trial, setTrial] = useState<Trial>()
  const tryAction = useAction(automations.tryAutomation, { feedback: 'failure' })
  if (!may) return null
  const runTrial = async () => {
    if (!input) return
    const results = await tryAction.run({ ...input, Days: DAYS })
    if (results) setTrial({ input, results })
  }
  const isCurrent = trial && input && sameValue(trial.input, input)
  return (
    <div className={`${page.tightRow} ${page.grow}`}>
      <Button disabled={!input} loading={tryAction.busy} onClick={() => void runTrial()}>
        {t('automation:rule.try.button', { count: DAYS })}
      </Button>
      <span role="status">
        {tryAction.failure !== undefined
          ? describeRefusal(tryAction.failure)
          : isCurrent && <Result {...trial} kind={kind} />}
      </span>
    </div>
  )
}

function Result({ results, kind }: Trial & { kind: RuleKind }) {
  const t = useT()
  const { Runs, Blocked, kWh, Cost, CoveredDays, Uncovered, Unknown } = results
  const blocked = Object.values(Blocked).reduce((sum, count) => sum + count, 0)
  // Nothing was evaluated, so show no count.
  if (Uncovered !== null && Uncovered !== 'brief')
    return <>{t(`automation:rule.try.uncovered.${Uncovered}`)}</>
  const covered = Uncovered
    ? t(`automation:rule.try.uncovered.${Uncovered}`)
    : t('automation:rule.try.covered', { days: formatNumber(CoveredDays, 1) })
  return (
    <>
      {[
        t(kind === 'alarm' ? 'automation:rule.try.raised' : 'automation:rule.try.runs', {
          count: Runs.length,
          days: DAYS,
        }),
        ...(kWh === null ? [] : [t('automation:rule.try.energy', { energy: energyText(kWh) })]),
        ...(Cost === null ? [] : [t('automation:rule.try.cost', { cost: moneyText(Cost) })]),
        ...(blocked > 0 ? [t('automation:rule.try.blocked', { count: blocked })] : []),
        ...(CoveredDays < DAYS ? [covered] : []),
        ...(Unknown.length > 0 ? [t('automation:rule.try.unknown', { count: Unknown.length })] : []),
      ].join(t('automation:rule.try.comma'))}
    </>
  )
}
