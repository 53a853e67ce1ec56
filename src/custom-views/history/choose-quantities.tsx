import { Checkbox, Input, Select } from 'antd'
import { useMemo, useState, type FC } from 'react'
import {
  MAX_HISTORY_SERIES,
  type HistoryDevice,
  type HistoryPick,
} from '../../../contract/devices/history-calls.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { arrange, canAdd, samePick } from '../../domain/history/picks.ts'
import page from '../../ui/page/page.module.css'
import styles from '../../domain/history/history.module.css'
import { useQuantityWords } from '../../domain/history/quantity-words.ts'
import { foldText } from '../../../contract/kernel/text.ts'
import { Drawer } from '../../ui/page/dialog.tsx'

interface Props {
  open: boolean
  close: () => void
  devices: readonly HistoryDevice[]
  rooms: readonly Room[]
  picks: readonly HistoryPick[]
  onChange: (picks: HistoryPick[]) => void
}

/** Maximum number of devices listed; search finds the others. */
const MAX_LISTED = 100

/** Selects the quantities of the chart: by search, by room, per device. The chart follows each choice. */
export const ChooseQuantities: FC<Props> = ({ open, close, devices, rooms, picks, onChange }) => {
  const t = useT()
  const phone = usePhone()
  const words = useQuantityWords()
  const [search, setSearch] = useState('')
  const [room, setRoom] = useState<number | 'all' | 'removed'>('all')
  const groupedRows = useMemo(() => {
    const searchText = foldText(search.trim())
    return devices
      .filter(({ RoomID }) => room === 'all' || (room === 'removed' ? RoomID === null : RoomID === room))
      .map((device) => {
        const named = foldText(`${words.deviceName(device)} ${device.PeripheralUID}`).includes(searchText)
        const Quantities = device.Quantities.filter(
          (quantity) => named || foldText(words.quantityName(device, quantity)).includes(searchText),
        )
        return { ...device, Quantities }
      })
      .filter(({ Quantities }) => Quantities.length > 0)
      .sort((a, b) => words.deviceName(a).localeCompare(words.deviceName(b), undefined, { numeric: true }))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- words change only with the language, which renders the page again
  }, [devices, search, room])
  const { chosen } = arrange(picks, devices)
  const full = picks.length >= MAX_HISTORY_SERIES
  const toggle = (pick: HistoryPick, isOn: boolean) =>
    onChange(isOn ? [...picks, pick] : picks.filter((other) => !samePick(other, pick)))

  return (
    <Drawer
      open={open}
      onClose={close}
      // On phones the keyboard would cover the choices.
      focusAtFirst={phone ? 'dialog' : 'field'}
      title={t('history:choose')}
      extra={
        <span aria-live="polite" className={page.small}>
          {t('history:count', { count: picks.length, most: MAX_HISTORY_SERIES })}
        </span>
      }
    >
      <div className={`${page.wideRow} ${styles.filters}`}>
        <Input
          type="search"
          allowClear
          placeholder={t('history:search')}
          aria-label={t('history:search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Select
          aria-label={t('screens:devices.byRoom')}
          value={room}
          onChange={setRoom}
          popupMatchSelectWidth={false}
          options={[
            { value: 'all' as const, label: t('screens:devices.anyRoom') },
            ...rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName })),
            ...(devices.some(({ RoomID }) => RoomID === null)
              ? [{ value: 'removed' as const, label: t('history:removed') }]
              : []),
          ]}
        />
      </div>
      {full && <p className={page.small}>{t('history:full', { most: MAX_HISTORY_SERIES })}</p>}
      {groupedRows.length === 0 && <EmptyState message={t('history:noMatch')} />}
      <ul className={page.rows}>
        {groupedRows.slice(0, MAX_LISTED).map((device) => (
          <li key={device.PeripheralUID}>
            <fieldset>
              <legend>
                {words.deviceName(device)}
                {device.PeripheralName === null && (
                  <span className={page.small}> {t('history:removed')}</span>
                )}
              </legend>
              {device.Quantities.map((quantity) => {
                const pick = { PeripheralUID: device.PeripheralUID, Field: quantity.Field }
                const isPicked = picks.some((other) => samePick(other, pick))
                const crowded = !canAdd(quantity, chosen)
                const unit = words.unitName(quantity.Unit)
                return (
                  <Checkbox
                    key={quantity.Field}
                    checked={isPicked}
                    disabled={!isPicked && (full || crowded)}
                    onChange={(event) => toggle(pick, event.target.checked)}
                  >
                    {words.quantityName(device, quantity)}
                    <span className={page.small}>
                      {' '}
                      {quantity.Kind === 'state' ? t('history:state') : unit}
                      {!isPicked && crowded && ` · ${t('history:thirdUnit')}`}
                    </span>
                  </Checkbox>
                )
              })}
            </fieldset>
          </li>
        ))}
      </ul>
      {groupedRows.length > MAX_LISTED && (
        <p className={page.small}>{t('history:more', { count: groupedRows.length - MAX_LISTED })}</p>
      )}
    </Drawer>
  )
}
