import type { FC } from 'react'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'

/** Connection state of a scanner, with the time at which it was last seen. */
export const ScannerOnline: FC<{ scanner: ScannerWithState }> = ({ scanner: { Online, SeenAt } }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  return (
    <StateTag tone={Online ? 'good' : 'offline'}>
      {Online
        ? t('access:scanner.online')
        : SeenAt === null
          ? t('access:scanner.never')
          : t('access:scanner.offline', { age: formatAge(SeenAt, now, language) })}
    </StateTag>
  )
}
