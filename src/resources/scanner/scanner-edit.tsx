import { App, Button, Card, Form } from 'antd'
import { useState, type FC } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { right } from '../../../contract/features.ts'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import {
  scanner as resource,
  type ScannerCredentials as Credentials,
  type ScannerWithState,
} from '../../../contract/resources/scanner.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { useAct } from '../../record-kit/paged-list/use-act.ts'
import { pathTo } from '../../paths.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useConfirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { changesBetween } from '../../record-kit/record-conflict.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { ScannerCredentials } from './scanner-credentials.tsx'
import { ScannerFields } from './scanner-fields.tsx'
import { ScannerFrame } from './scanner-frame.tsx'
import { ScannerOnline } from './scanner-online.tsx'
import { useScannerWords } from './use-scanner-words.ts'

/** /ScannerEdit/{ThingName}: one scanner, its credentials renewed or it removed. */
export default function ScannerEdit() {
  const { ThingName = '' } = useParams()
  return (
    <ScannerFrame thingName={ThingName}>
      {(scanner) => <Editor key={scanner.ThingName} scanner={scanner} />}
    </ScannerFrame>
  )
}

const fromScanner = ({ ScannerName, Direction, AllEmployees, AllowVisitors }: ScannerWithState) => ({
  ScannerName,
  Direction,
  AllEmployees,
  AllowVisitors,
})

const Editor: FC<{ scanner: ScannerWithState }> = ({ scanner }) => {
  const t = useT()
  const navigate = useNavigate()
  const { modal } = App.useApp()
  const [form] = Form.useForm()
  const { busy, act } = useAct()
  const confirmRemoval = useConfirmRemoval()
  const [renewed, setRenewed] = useState<Credentials>()
  const mayUpdate = useMay('access_control_scanner', 'Update')
  const mayDelete = useMay('access_control_scanner', 'Delete')
  const list = pathTo('ScannerManagement')
  const { ThingName, ScannerName: name } = scanner

  const rotate = () =>
    void modal.confirm({
      title: t('access:scanner.rotateTitle', { name }),
      content: t('access:scanner.rotateNote'),
      okText: t('access:scanner.rotate'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: async () => {
        await act(async () => setRenewed(await call(accessControl.rotateScannerSecret, { ThingName })))
      },
    })
  const { base, theirs, stand, save } = useBase(scanner)
  const words = useScannerWords()

  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{name}</h1>
        <ScannerOnline scanner={scanner} />
        <div className={styles.tools}>
          <Link to={pathTo('ScannerEmployeeList', { deviceName: ThingName })}>
            <Button tabIndex={-1}>{t('shell:pages.ScannerEmployeeList')}</Button>
          </Link>
          <Link to={pathTo('DeviceQrcodeView', { deviceName: ThingName })}>
            <Button tabIndex={-1}>{t('shell:pages.DeviceQrcodeView')}</Button>
          </Link>
        </div>
      </header>
      {renewed && (
        <Card>
          <ScannerCredentials made={renewed} />
        </Card>
      )}
      <Card>
        <AccessForm
          form={form}
          initial={fromScanner(scanner)}
          right={right('access_control_scanner', 'Update')}
          cancelTo={list}
          submitText={t('screens:save')}
          conflict={
            theirs && {
              changes: changesBetween(base, theirs, words),
              values: fromScanner(theirs),
              stand: () => stand(theirs),
            }
          }
          submit={async (values) => {
            const { Version } = base
            const input = resource.operations.update.input.parse({ ThingName, ...values, Version })
            const saved = await save(() => call(resource.operations.update, input))
            return saved
          }}
          saved={() => {
            notices.success(() => t('screens:updated'))
            void navigate(list)
          }}
        >
          <ScannerFields />
        </AccessForm>
      </Card>
      <div className={styles.buttons}>
        {mayUpdate && (
          <Button danger loading={busy} onClick={rotate}>
            {t('access:scanner.rotate')}
          </Button>
        )}
        {mayDelete && (
          <Button
            danger
            onClick={() =>
              confirmRemoval({
                name,
                consequence: t('access:scanner.consequence'),
                remove: async () => {
                  await call(resource.operations.remove, { ThingName })
                  void navigate(list)
                },
              })
            }
          >
            {t('screens:remove.ok')}
          </Button>
        )}
      </div>
    </section>
  )
}
