import { Button, Card } from 'antd'
import { type FC, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { t, useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CreateScanner, useScannerFields } from './create-scanner.tsx'
import { isDeleted } from './scanner-frame.tsx'
import type {
  ScannerWithState,
  ScannerCredentials as Credentials,
} from '../../../contract/access-control/scanner.ts'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { useHomes } from '../../data/homes.ts'
import { formatAge } from '../../lib/format-age.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import page from '../../ui/page/page.module.css'
import { RemoveButton } from '../../record-kit/removal.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { ScannerCredentials } from './scanner-credentials.tsx'
import { RowMenu } from '../../ui/table/row-menu.tsx'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { QrcodeOutlined, TeamOutlined } from '@ant-design/icons'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** Renews the credentials of a scanner, which are shown only once, or removes the scanner. */
const ScannerSecret: FC<{ record: ScannerWithState }> = ({ record }) => {
  const t = useT()
  const { busy, run } = useAction(accessControl.rotateScannerSecret)
  const [renewed, setRenewed] = useState<Credentials>()
  const mayUpdate = useMay('access_control_scanner', 'Update')
  const { ThingName, ScannerName: name } = record

  const rotate = () =>
    confirm({
      title: t('access:scanner.rotateTitle', { name }),
      content: t('access:scanner.rotateNote'),
      okText: t('access:scanner.rotate'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: async () => {
        const credentials = await run({ ThingName })
        if (credentials) setRenewed(credentials)
      },
    })
  return (
    <>
      {renewed && (
        <Card>
          <ScannerCredentials credentials={renewed} />
        </Card>
      )}
      {mayUpdate && (
        <div className={page.buttons}>
          <Button danger loading={busy} onClick={rotate}>
            {t('access:scanner.rotate')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Connection state of a scanner, with the time at which it was last seen. */
const ScannerOnline: FC<{ scanner: ScannerWithState }> = ({ scanner: { Online, SeenAt } }) => {
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

function useScannerColumns(): readonly ListTableColumn<ScannerWithState>[] {
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
            : t('access:scanner.offline', { age: formatAge(SeenAt, gatewayNow(), language) }),
      render: (row) => <ScannerOnline scanner={row} />,
    },
    { key: 'home', title: t('access:fields.HomeID'), width: 110, text: homeOf },
    { key: 'direction', title: t('access:fields.Direction'), width: 120, text: directionOf },
    { key: 'who', title: t('access:scanner.who'), text: peopleOf },
  ]
}

function useScannerExport(): readonly ListColumn<ScannerWithState>[] {
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

/** Connection state of a scanner, and links to its other pages. */
const ScannerHead: FC<{ record: ScannerWithState }> = ({ record }) => {
  const t = useT()
  const navigate = useNavigate()
  const deviceName = record.ThingName
  return (
    <>
      <ScannerOnline scanner={record} />
      <ButtonLink to={pathTo('ScannerEmployeeList', { deviceName })}>
        {t('shell:pages.ScannerEmployeeList')}
      </ButtonLink>
      <span className={page.buttonAndMenu}>
        <ButtonLink to={pathTo('DeviceQrcodeView', { deviceName })}>
          {t('shell:pages.DeviceQrcodeView')}
        </ButtonLink>
        <RowMenu name={record.ScannerName}>
          <RemoveButton
            resource="scanner"
            row={record}
            name={record.ScannerName}
            remove={{ consequence: () => t('access:scanner.consequence') }}
            onDone={() => void navigate(pathTo('ScannerManagement'))}
          />
        </RowMenu>
      </span>
    </>
  )
}

const ScannerLinks: FC<{ row: ScannerWithState }> = ({ row: { ThingName } }) => {
  const t = useT()
  const navigate = useNavigate()
  return (
    <>
      <IconButton
        icon={<TeamOutlined />}
        label={t('shell:pages.ScannerEmployeeList')}
        onPress={() => void navigate(pathTo('ScannerEmployeeList', { deviceName: ThingName }))}
      />
      <IconButton
        icon={<QrcodeOutlined />}
        label={t('shell:pages.DeviceQrcodeView')}
        onPress={() => void navigate(pathTo('DeviceQrcodeView', { deviceName: ThingName }))}
      />
    </>
  )
}

/** Scanners at doors, with their connection state. */
export default defineRecord({
  resource: 'scanner',
  words: () => ({
    list: t('shell:pages.ScannerManagement'),
    create: t('shell:pages.CreateScanner'),
    empty: t('access:scanner.empty'),
  }),
  columns: useScannerColumns,
  drawing: 'hub',
  form: {
    presentation: 'page',
    fields: useScannerFields,
    Head: ScannerHead,
    Below: ScannerSecret,
    missingTexts: isDeleted,
  },
  to: {
    list: () => pathTo('ScannerManagement'),
    create: () => pathTo('CreateScanner'),
    key: ({ ThingName = '' }) => ({ ThingName }),
  },
  open: ({ ThingName }) => pathTo('ScannerEdit', { ThingName }),
  remove: { notInRows: true, bulkConsequence: () => t('access:scanner.consequence') },
  Menu: ScannerLinks,
  bulk: 'remove',
  views: 'scanner',
  exports: {
    requiredRight: { feature: 'access_control_scanner', operation: 'Export' },
    columns: useScannerExport,
  },
  pages: { Create: CreateScanner },
})
