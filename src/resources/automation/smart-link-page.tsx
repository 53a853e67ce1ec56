import { RulePage } from './editor/rule-page.tsx'

export default function SmartLinkPage() {
  return <RulePage kind="smartLink" />
}
