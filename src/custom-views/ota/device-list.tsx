import { Button, Card, Checkbox, Input, Pagination } from 'antd'
import { useState, type FC } from 'react'
import type { Firmware, OtaDevice } from '../../../contract/devices/ota-calls.ts'
import { MAX_OTA_DEVICES } from '../../../contract/devices/ota-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import pageStyles from '../../ui/page/page.module.css'
import styles from '../../domain/ota/ota.module.css'
import { StartDialog } from './start-dialog.tsx'
import { UpdateState } from '../../domain/ota/update-state.tsx'
import { useTargetName } from './use-target-name.ts'
import { deviceKey, isUpdating, updateFor } from '../../domain/ota/firmware.ts'
import { foldText } from '../../../contract/kernel/text.ts'

const PAGE = 50

interface Props {
  homeId: string
  target: string
  devices: readonly OtaDevice[]
  /** Versions for this kind, newest first. */
  versions: readonly Firmware[]
  started: () => void
}

/** Devices of one kind with their versions; selected ones are updated together. */
export const DeviceList: FC<Props> = ({ homeId, target, devices, versions, started }) => {
  const t = useT()
  const mayControl = useMay('ota', 'Control')
  const nameOf = useTargetName()
  const [search, setSearch] = useState('')
  const [outdatedOnly, setOutdatedOnly] = useState(false)
  const [selectedUids, setSelectedUids] = useState<ReadonlySet<string>>(new Set())
  const [page, setPage] = useState(1)
  const [starting, setStarting] = useState(false)
  const outdated = devices.filter((device) => updateFor(device, versions))
  const searchText = foldText(search.trim())
  const matching = (outdatedOnly ? outdated : devices).filter(
    ({ Name, ThingName, PeripheralUID }) =>
      foldText(Name).includes(searchText) || foldText(PeripheralUID ?? ThingName).includes(searchText),
  )
  const updatable = matching.filter((device) => !isUpdating(device)).slice(0, MAX_OTA_DEVICES)
  const selected = devices.filter((device) => selectedUids.has(deviceKey(device)) && !isUpdating(device))
  const allChosen = updatable.length > 0 && updatable.every((device) => selectedUids.has(deviceKey(device)))
  const last = Math.max(1, Math.ceil(matching.length / PAGE))
  const shownPage = Math.min(page, last)

  const toggle = (key: string) => {
    const next = new Set(selectedUids)
    if (!next.delete(key)) next.add(key)
    setSelectedUids(next)
  }

  return (
    <Card title={t('ota:devices')}>
      {devices.length === 0 ? (
        <EmptyState message={t('ota:noDevices')} />
      ) : (
        <>
          <div className={`${pageStyles.wideRow} ${styles.filters}`}>
            <Input.Search
              allowClear
              value={search}
              placeholder={t('ota:search')}
              aria-label={t('ota:search')}
              onChange={(event) => setSearch(event.target.value)}
            />
            <Checkbox checked={outdatedOnly} onChange={(event) => setOutdatedOnly(event.target.checked)}>
              {t('ota:outdatedOnly', { count: outdated.length })}
            </Checkbox>
          </div>
          {mayControl && (
            <div className={`${pageStyles.wideRow} ${pageStyles.below8}`}>
              <Checkbox
                checked={allChosen}
                indeterminate={!allChosen && selected.length > 0}
                disabled={updatable.length === 0}
                onChange={() => setSelectedUids(allChosen ? new Set() : new Set(updatable.map(deviceKey)))}
              >
                {t('ota:selectAll', { count: updatable.length })}
              </Checkbox>
              <span className={`${pageStyles.last} ${pageStyles.muted}`} aria-live="polite">
                {t('ota:selected', { count: selected.length })}
              </span>
              <Button
                type="primary"
                disabled={selected.length === 0 || versions.length === 0}
                onClick={() => setStarting(true)}
              >
                {t('ota:update')}
              </Button>
            </div>
          )}
          {mayControl && versions.length === 0 && (
            <p className={pageStyles.note}>{t('ota:start.noVersion', { target: nameOf(target) })}</p>
          )}
          {matching.length === 0 ? (
            <EmptyState message={t('ota:noneMatch')} />
          ) : (
            <ul className={pageStyles.rows}>
              {matching.slice((shownPage - 1) * PAGE, shownPage * PAGE).map((device) => (
                <DeviceRow
                  key={deviceKey(device)}
                  device={device}
                  update={updateFor(device, versions)}
                  hasVersions={versions.length > 0}
                  checked={selectedUids.has(deviceKey(device))}
                  toggle={mayControl ? () => toggle(deviceKey(device)) : undefined}
                />
              ))}
            </ul>
          )}
          <Pagination
            className={pageStyles.above16}
            current={shownPage}
            pageSize={PAGE}
            total={matching.length}
            showSizeChanger={false}
            hideOnSinglePage
            onChange={setPage}
          />
        </>
      )}
      {starting && (
        <StartDialog
          homeId={homeId}
          devices={selected}
          versions={versions}
          close={(isDone) => {
            setStarting(false)
            if (!isDone) return
            setSelectedUids(new Set())
            started()
          }}
        />
      )}
    </Card>
  )
}

interface RowProps {
  device: OtaDevice
  update: Firmware | undefined
  hasVersions: boolean
  checked: boolean
  toggle: (() => void) | undefined
}

const DeviceRow: FC<RowProps> = ({ device, update, hasVersions, checked, toggle }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const busy = isUpdating(device)
  return (
    <li className={styles.device}>
      {toggle ? (
        <Checkbox checked={checked && !busy} disabled={busy} aria-label={device.Name} onChange={toggle} />
      ) : (
        <span />
      )}
      <div>
        <strong>{device.Name}</strong>
        <div className={`${pageStyles.wideRow} ${pageStyles.small} ${pageStyles.words}`}>
          <span>{device.PeripheralUID ?? device.ThingName}</span>
          {!device.Online && <StateTag tone="offline">{t('ota:hubOffline')}</StateTag>}
        </div>
      </div>
      <div>
        <span className={pageStyles.figures}>{device.FirmwareVersion ?? t('ota:unknownVersion')}</span>
        <div className={`${pageStyles.wideRow} ${pageStyles.small} ${pageStyles.words}`}>
          {device.ReportedAt !== null && (
            <span>{t('ota:reported', { age: formatAge(device.ReportedAt, now, language) })}</span>
          )}
        </div>
      </div>
      <div>
        {device.Update && <UpdateState update={device.Update} />}
        {!busy && update && (
          <StateTag tone="warning">{t('ota:newest', { version: update.FirmwareVersion })}</StateTag>
        )}
        {!busy && !update && hasVersions && !device.Update && (
          <StateTag tone="good">{t('ota:upToDate')}</StateTag>
        )}
      </div>
    </li>
  )
}
