import { RuleList } from './list/rule-list.tsx'

export default function ScheduleListPage() {
  return <RuleList kind="schedule" />
}
