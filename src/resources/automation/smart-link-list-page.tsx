import { RuleList } from './list/rule-list.tsx'

export default function SmartLinkListPage() {
  return <RuleList kind="smartLink" />
}
