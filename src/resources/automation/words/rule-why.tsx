import type { FC } from 'react'
import type { RuleWhyProps } from '../../../custom-views/alarms/alarm-drawer.tsx'
import { describeDraft } from '../editor/describe-draft.ts'
import styles from '../editor/editor.module.css'
import { useRules } from '../use-rules.ts'
import { useRuleFacts } from './use-rule-facts.ts'
import { useSentence } from './use-rule-names.ts'

/** Sentence that describes the rule of an alarm; renders nothing if the rule was deleted. */
export const RuleWhy: FC<RuleWhyProps> = ({ HomeID, AutomationID }) => {
  const facts = useRuleFacts(HomeID)
  const sentence = useSentence(facts.names)
  const rule = useRules(HomeID, ['alarm']).rows?.find((one) => one.AutomationID === AutomationID)
  return rule ? <p className={styles.says}>{sentence(describeDraft(rule))}</p> : null
}
