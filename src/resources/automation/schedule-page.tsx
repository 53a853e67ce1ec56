import { RulePage } from './editor/rule-page.tsx'

export default function SchedulePage() {
  return <RulePage kind="schedule" />
}
