import type { FC } from 'react'
import page from '../../../ui/page/page.module.css'
import { kindOf, type ListedRule } from '../kinds.ts'
import { AlarmNow } from '../list/alarm-now.tsx'
import { LastRun, RuleRuns } from '../list/last-run.tsx'
import { RuleState } from '../list/rule-state.tsx'
import { useBlockers } from '../list/use-blockers.ts'
import { RunNow } from '../list/run-now.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Beside the name of a rule in its editor: whether it acts, how it went last, and what can be done with it as it is saved. */
export const RuleHead: FC<{ rule: ListedRule; facts: RuleFacts }> = ({ rule, facts }) => {
  const blocker = useBlockers(rule.HomeID, kindOf(rule)).get(rule.AutomationID)
  return (
    <span className={`${page.tools} ${page.row}`}>
      <RuleState rule={rule} facts={facts} blocker={blocker} />
      {rule.AutomationType === 4 ? (
        <AlarmNow rule={rule} canFire={blocker === undefined} />
      ) : (
        <LastRun rule={rule} />
      )}
      <RuleRuns rule={rule} />
      <RunNow rule={rule} facts={facts} />
    </span>
  )
}
