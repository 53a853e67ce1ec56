import { formatWhen } from '../../../lib/format-when.ts'
import { Alert } from 'antd'
import type { FC } from 'react'
import type { RuleWarning } from '../../../../contract/automation/calls.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './editor.module.css'
import type { Check } from './use-check.ts'
import { blockerKeyOf, cannotFire } from '../words/cannot-fire.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Warnings that keep a rule from working; all others are informational. */
const SERIOUS: ReadonlySet<RuleWarning['Kind']> = new Set(['loop', 'deviceGone', 'never'])

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
  const said = (finding: RuleWarning) => {
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
          type={finding.Blocks || SERIOUS.has(finding.Kind) ? 'error' : 'warning'}
          message={said(finding)}
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
  const said = (at: number) => formatWhen(at, language, zone, 'near')
  return (
    <section aria-label={t('automation:rule.nextRuns')}>
      <h3>{t('automation:rule.nextRuns')}</h3>
      <ul className={styles.runs}>
        {runs.map(({ At, Struck }) => (
          <li key={At}>
            {Struck ? (
              <del>
                {said(At)}
                <span className="visually-hidden">{t('automation:rule.struck')}</span>
              </del>
            ) : (
              <time dateTime={new Date(At).toISOString()}>{said(At)}</time>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
