import { RulePage } from './editor/rule-page.tsx'

/** Makes an alarm, or changes one. */
export default function AlarmRulePage() {
  return <RulePage kind="alarm" />
}
