import { RulePage } from './editor/rule-page.tsx'

export default function AlarmRulePage() {
  return <RulePage kind="alarm" />
}
