import type { FC, ReactNode } from 'react'
import { Link } from 'react-router'
import type { ScannerWithState } from '../../../contract/resources/scanner.ts'
import { pathTo } from '../../paths.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { useScanner } from './use-scanner.ts'

/** A page about one scanner: loading, failed, gone, or what it is about. */
export const ScannerFrame: FC<{ thingName: string; children: (scanner: ScannerWithState) => ReactNode }> = ({
  thingName,
  children,
}) => {
  const t = useT()
  const { scanner, gone, error, retry } = useScanner(thingName)
  if (scanner) return children(scanner)
  if (gone)
    return (
      <MessagePage
        title={t('access:scanner.gone')}
        actions={<Link to={pathTo('ScannerManagement')}>{t('access:scanner.toList')}</Link>}
      />
    )
  return error ? <LoadFailed error={error} retry={() => void retry()} /> : <ListSkeleton rows={8} />
}
