import { Form, Input, Select } from 'antd'
import { useState } from 'react'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useDevices, useHomes } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton } from '../../../ui/page/states.tsx'
import { Modal } from '../../../ui/dialog/dialog.tsx'
import { holdsLabel } from '../../../ui/inputs/holds-label.ts'

/** Maximum length of a name, as in every record. */
const LONGEST = 64

/** Destination and name of a copy, and the mapping of devices; devices without a mapping are left out. */
export interface CopyPlan {
  HomeID: string
  name: string
  deviceOf: (uid: string) => string | undefined
}

interface Props {
  title: string
  name: string
  /** Home of the original, and the devices that it references. */
  HomeID: string
  uids: readonly string[]
  /** Note about parts that cannot be copied to another home. */
  note?: string
  busy: boolean
  close: () => void
  copy: (plan: CopyPlan) => void
}

/** Copies a group or a scene, also to another home; there each device is mapped to one of the same type. */
export function CopyDialog({ title, name, HomeID, uids, note, busy, close, copy }: Props) {
  const t = useT()
  const homes = useHomes() ?? []
  const [to, setTo] = useState(HomeID)
  const [newName, setNewName] = useState(() => t('automation:copy.name', { name }).slice(0, LONGEST))
  const [chosen, setChosen] = useState<Readonly<Record<string, string | null>>>({})
  const here = useDevices(HomeID).data?.Peripherals
  const there = useDevices(to).data?.Peripherals
  const isElsewhere = to !== HomeID
  const standsFor = (uid: string): string | undefined => {
    if (!isElsewhere) return uid
    const picked = chosen[uid]
    if (picked !== undefined) return picked ?? undefined
    const own = here?.find(({ PeripheralUID }) => PeripheralUID === uid)
    return optionsFor(own, there).find(({ PeripheralName }) => PeripheralName === own?.PeripheralName)
      ?.PeripheralUID
  }
  const missing = isElsewhere && uids.length > 0 && !uids.some((uid) => standsFor(uid) !== undefined)
  const wanted = newName.trim()
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      cancelText={t('screens:cancel')}
      okText={t('automation:copy.ok')}
      okButtonProps={{ disabled: wanted === '' || missing, loading: busy }}
      onOk={() => copy({ HomeID: to, name: wanted, deviceOf: standsFor })}
    >
      <Form layout="vertical" component="div">
        <Form.Item label={t('automation:copy.newName')}>
          <Input
            aria-label={t('automation:copy.newName')}
            maxLength={LONGEST}
            value={newName}
            onChange={(event) => setNewName(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('automation:copy.to')}>
          <Select
            aria-label={t('automation:copy.to')}
            value={to}
            showSearch
            filterOption={holdsLabel}
            options={homes.map((home) => ({ value: home.HomeID, label: home.HomeName }))}
            onChange={(next) => {
              setTo(next)
              setChosen({})
            }}
          />
        </Form.Item>
        {isElsewhere && (
          <>
            <p className={page.hint}>{t('automation:copy.devices')}</p>
            {note && <p className={page.hint}>{note}</p>}
            {here && there ? (
              uids.map((uid) => {
                const own = here.find(({ PeripheralUID }) => PeripheralUID === uid)
                return (
                  <Form.Item key={uid} label={own?.PeripheralName ?? uid}>
                    <Select
                      allowClear
                      showSearch
                      filterOption={holdsLabel}
                      aria-label={t('automation:copy.standsFor', { name: own?.PeripheralName ?? uid })}
                      placeholder={t('automation:copy.leaveOut')}
                      value={standsFor(uid) ?? null}
                      options={optionsFor(own, there).map((device) => ({
                        value: device.PeripheralUID,
                        label: device.PeripheralName,
                      }))}
                      onChange={(next) => setChosen({ ...chosen, [uid]: next ?? null })}
                    />
                  </Form.Item>
                )
              })
            ) : (
              <ListSkeleton rows={3} />
            )}
            {missing && <p className={page.fault}>{t('automation:copy.none')}</p>}
          </>
        )}
      </Form>
    </Modal>
  )
}

const optionsFor = (
  own: Peripheral | undefined,
  there: readonly Peripheral[] | undefined,
): readonly Peripheral[] =>
  there?.filter(({ PeripheralType }) => PeripheralType === own?.PeripheralType) ?? []
