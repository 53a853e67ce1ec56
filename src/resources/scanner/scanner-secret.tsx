import { Button, Card } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type {
  ScannerCredentials as Credentials,
  ScannerWithState,
} from '../../../contract/access-control/scanner.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import styles from '../../domain/access/access.module.css'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { RemoveButton } from '../../record-kit/remove-button.tsx'
import { confirm } from '../../ui/page/dialogs.ts'
import { ScannerCredentials } from './scanner-credentials.tsx'

/** Renews the credentials of a scanner, which are shown only once, or removes the scanner. */
export const ScannerSecret: FC<{ record: ScannerWithState }> = ({ record }) => {
  const t = useT()
  const navigate = useNavigate()
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
        const made = await run({ ThingName })
        if (made) setRenewed(made)
      },
    })
  return (
    <>
      {renewed && (
        <Card>
          <ScannerCredentials made={renewed} />
        </Card>
      )}
      <div className={styles.buttons}>
        {mayUpdate && (
          <Button danger loading={busy} onClick={rotate}>
            {t('access:scanner.rotate')}
          </Button>
        )}
        <RemoveButton
          resource="scanner"
          row={record}
          name={name}
          remove={{ consequence: () => t('access:scanner.consequence') }}
          done={() => void navigate(pathTo('ScannerManagement'))}
        />
      </div>
    </>
  )
}
