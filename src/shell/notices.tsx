import { useState } from 'react'
import { useWaitingNotices } from '../data/notices.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'

const NoticeHost = lazyPart(() => import('./notice-host.tsx'), { over: true })

/**
 * What one is told over the page. What shows it is fetched when the page is quiet, or with the first notice.
 *
 * atBell  whether the panel of the bell is open
 */
export function Notices({ quiet, atBell }: { quiet: boolean; atBell: boolean }) {
  const waits = useWaitingNotices().length > 0
  const [begun, setBegun] = useState(false)
  if (!begun && (waits || quiet)) setBegun(true)
  return begun && <NoticeHost atBell={atBell} />
}
