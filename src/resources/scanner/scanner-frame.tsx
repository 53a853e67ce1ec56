import type { FC, ReactNode } from 'react'
import { useParams } from 'react-router'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import { usePageItem } from '../../data/page-item.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { OneRecordPage } from '../../record-kit/record-page.tsx'

export const isDeleted = () => ({ title: t('access:scanner.gone'), toList: t('access:scanner.toList') })

/** Page about the scanner in the URL; handles loading, failed and deleted. */
export const ScannerFrame: FC<{ children: (scanner: ScannerWithState) => ReactNode }> = ({ children }) => {
  const { deviceName = '' } = useParams()
  return (
    <OneRecordPage
      resource="scanner"
      id={{ ThingName: deviceName }}
      missingTexts={isDeleted}
      list={pathTo('ScannerManagement')}
    >
      {(scanner) => <AboutScanner scanner={scanner}>{children(scanner)}</AboutScanner>}
    </OneRecordPage>
  )
}

const AboutScanner: FC<{ scanner: ScannerWithState; children: ReactNode }> = ({ scanner, children }) => {
  usePageItem(scanner.ScannerName)
  return children
}
