import DownloadOutlined from '@ant-design/icons-svg/es/asn/DownloadOutlined.js'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import type { ListExport } from './list-export.tsx'

/** Disabled button, as shown while no rows are known. */
function ClosedExport() {
  const t = useT()
  return (
    <PlainButton disabled>
      <Icon of={DownloadOutlined} />
      {t('lists:export.button')}
    </PlainButton>
  )
}

const Part = lazyPart(async () => ({ default: (await import('./list-export.tsx')).ListExport<unknown> }), {
  fallback: <ClosedExport />,
})

/** A `ListExport` that loads Ant Design on demand; a disabled button is shown in the meantime. The cast restores the row type parameter. */
export const LazyListExport = Part as unknown as typeof ListExport
