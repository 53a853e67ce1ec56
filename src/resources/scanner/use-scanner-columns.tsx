import { Link } from 'react-router'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import { useHomes } from '../../data/homes.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { ScannerOnline } from './scanner-online.tsx'

/** Texts of a scanner: home, direction and permitted employees. */
function useScannerWords() {
  const t = useT()
  const homes = useHomes()
  return {
    homeOf: (row: ScannerWithState) => homes?.find(({ HomeID }) => HomeID === row.HomeID)?.HomeName ?? '–',
    directionOf: (row: ScannerWithState) => t(`access:directions.${row.Direction}`),
    peopleOf: (row: ScannerWithState) =>
      row.AllEmployees
        ? t('access:scanner.everybody')
        : t('access:scanner.assigned', { count: row.Assigned }),
  }
}

export function useScannerColumns(): readonly ListTableColumn<ScannerWithState>[] {
  const t = useT()
  const language = useLanguage()
  const { homeOf, directionOf, peopleOf } = useScannerWords()
  return [
    {
      key: 'name',
      title: t('access:fields.ScannerName'),
      width: 160,
      text: (row) => row.ScannerName,
      render: ({ ThingName, ScannerName }) => (
        <Link to={pathTo('ScannerEdit', { ThingName })}>{ScannerName}</Link>
      ),
    },
    {
      key: 'online',
      title: t('access:fields.State'),
      text: ({ Online, SeenAt }) =>
        Online
          ? t('access:scanner.online')
          : SeenAt === null
            ? t('access:scanner.never')
            : t('access:scanner.offline', { age: formatAge(SeenAt, Date.now(), language) }),
      render: (row) => <ScannerOnline scanner={row} />,
    },
    { key: 'home', title: t('access:fields.HomeID'), width: 110, text: homeOf },
    { key: 'direction', title: t('access:fields.Direction'), width: 120, text: directionOf },
    { key: 'who', title: t('access:scanner.who'), text: peopleOf },
  ]
}

export function useScannerExport(): readonly ListColumn<ScannerWithState>[] {
  const t = useT()
  const { homeOf, directionOf, peopleOf } = useScannerWords()
  return [
    { title: t('access:fields.ScannerName'), of: (row) => row.ScannerName },
    { title: t('access:fields.HomeID'), of: homeOf },
    { title: t('access:fields.Direction'), of: directionOf },
    { title: t('access:scanner.who'), of: peopleOf },
    {
      title: t('access:fields.AllowVisitors'),
      of: (row) => t(row.AllowVisitors ? 'access:scanner.yes' : 'access:scanner.no'),
    },
    { title: t('access:scanner.lastSeen'), at: (row) => row.SeenAt },
  ]
}
