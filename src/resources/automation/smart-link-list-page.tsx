import { RuleList } from './list/rule-list.tsx'

/** The smart links of a home. */
export default function SmartLinkListPage() {
  return <RuleList kind="smartLink" />
}
