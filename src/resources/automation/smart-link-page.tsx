import { RulePage } from './editor/rule-page.tsx'

/** Makes a smart link, or changes one. */
export default function SmartLinkPage() {
  return <RulePage kind="smartLink" />
}
