import { RulePage } from './editor/rule-page.tsx'

/** Makes a schedule, or changes one. */
export default function SchedulePage() {
  return <RulePage kind="schedule" />
}
