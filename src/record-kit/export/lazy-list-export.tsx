import DownloadOutlined from '@ant-design/icons-svg/es/asn/DownloadOutlined.js'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import type { ListExport } from './list-export.tsx'

/** Not to be pressed yet, as while no rows are known. */
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
  meanwhile: <ClosedExport />,
})

/** A `ListExport` where Ant Design may not be there: until it is, its button stands in its place. Of any rows, as that is. */
export const LazyListExport = Part as unknown as typeof ListExport
