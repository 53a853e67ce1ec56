import { RuleList } from './list/rule-list.tsx'

/** The schedules of a home. */
export default function ScheduleListPage() {
  return <RuleList kind="schedule" />
}
