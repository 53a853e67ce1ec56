import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC } from 'react'
import { ota, type Firmware, type OtaDevice } from '../../../contract/devices/ota-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { type FirmwareOf, isUpdating, updateFor, versionsFor, useOta } from './firmware.ts'
import page from '../../ui/page/page.module.css'
import styles from './ota.module.css'
import { UpdateState } from './update-state.tsx'

const MAX_SHOWN = 5

/** Firmware of one hub or device: its version, the available update, the update in progress, and earlier ones. */
const FirmwareCard: FC<FirmwareOf> = ({ homeId, thingName, peripheralUid }) => {
  const t = useT()
  const query = useOta(homeId)
  const device = query.data?.Devices.find(
    (listed) => listed.ThingName === thingName && listed.PeripheralUID === peripheralUid,
  )
  return (
    <section className={`${page.section} ${page.tightStack}`}>
      <h2>{t('ota:section')}</h2>
      {query.data ? (
        device && <DeviceFirmware homeId={homeId} device={device} versions={query.data.Firmwares} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={2} />
      )}
    </section>
  )
}
export default FirmwareCard

interface Props {
  homeId: string
  device: OtaDevice
  /** Firmware versions in the company's library. */
  versions: readonly Firmware[]
}

const DeviceFirmware: FC<Props> = ({ homeId, device, versions }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const mayControl = useMay('ota', 'Control')
  const start = useAction(ota.startOta)
  const { ThingName, PeripheralUID } = device
  const updating = isUpdating(device)
  const update = updateFor(device, versions)
  // With an empty library, no version is the newest.
  const isNewest = !update && versionsFor(versions, device.Target).length > 0
  const history = useQuery({
    ...callQuery(ota.listOtaUpdate, {
      HomeID: homeId,
      Device: { ThingName, PeripheralUID },
      Limit: MAX_SHOWN,
    }),
    enabled: device.Update !== null,
  })
  const previousUpdates = history.data?.filter(({ OtaJobID }) => OtaJobID !== device.Update?.OtaJobID) ?? []

  const confirmUpdate = ({ FirmwareID, FirmwareVersion }: Firmware) =>
    confirm({
      title: t('ota:confirmTitle', { name: device.Name, version: FirmwareVersion }),
      content: t('ota:start.note'),
      okText: t('ota:start.ok'),
      cancelText: t('screens:cancel'),
      onOk: () => start.run({ HomeID: homeId, FirmwareID, Devices: [{ ThingName, PeripheralUID }] }),
    })

  return (
    <>
      <div className={`${page.wideRow} ${page.small} ${page.words}`}>
        <span>
          {t('ota:version')}{' '}
          <strong className={page.figures}>{device.FirmwareVersion ?? t('ota:unknownVersion')}</strong>
        </span>
        {device.ReportedAt !== null && (
          <span>{t('ota:reported', { age: formatAge(device.ReportedAt, now, language) })}</span>
        )}
        {!updating && update && (
          <StateTag tone="warning">{t('ota:newest', { version: update.FirmwareVersion })}</StateTag>
        )}
        {!updating && isNewest && <StateTag tone="good">{t('ota:upToDate')}</StateTag>}
      </div>
      {device.Update && <UpdateState update={device.Update} />}
      {mayControl && update && !updating && (
        <Button loading={start.busy} onClick={() => confirmUpdate(update)}>
          {t('ota:updateTo', { version: update.FirmwareVersion })}
        </Button>
      )}
      {previousUpdates.length > 0 && (
        <ul className={page.rows}>
          {previousUpdates.map((firmware) => (
            <li key={firmware.OtaJobID} className={styles.result}>
              <div>
                {t('ota:change', { from: firmware.FromVersion ?? '–', to: firmware.FirmwareVersion })}
                <div className={`${page.wideRow} ${page.small} ${page.words}`}>
                  {formatAge(firmware.RequestedAt, now, language)}
                </div>
              </div>
              <UpdateState update={firmware} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
