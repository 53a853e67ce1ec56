import type { FC } from 'react'
import type { RuleWhyProps } from '../../custom-views/alarms/alarm-drawer.tsx'
import { describeDraft } from './words/describe-draft.ts'
import styles from './editor/editor.module.css'
import { useRules } from './rules/use-rules.ts'
import { useRuleFacts } from './words/use-rule-facts.ts'
import { useSentence } from './words/use-rule-names.ts'

/** Sentence that describes the rule of an alarm; renders nothing if the rule was deleted. */
export const RuleWhy: FC<RuleWhyProps> = ({ HomeID, AutomationID }) => {
  const facts = useRuleFacts(HomeID)
  const sentence = useSentence(facts.names)
  const rule = useRules(HomeID, ['alarm']).rows?.find((one) => one.AutomationID === AutomationID)
  return rule ? <p className={styles.says}>{sentence(describeDraft(rule))}</p> : null
}
