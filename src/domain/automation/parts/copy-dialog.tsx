import { Form, Input, Select } from 'antd'
import { useState } from 'react'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useDevices, useHomes } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton } from '../../../ui/page/states.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'
import { holdsLabel } from '../../../lib/match-words.ts'

/** Maximum length of a name, as in every record. */
const MAX_NAME_LENGTH = 64

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
  const [newName, setNewName] = useState(() => t('automation:copy.name', { name }).slice(0, MAX_NAME_LENGTH))
  const [replacements, setReplacements] = useState<Readonly<Record<string, string | null>>>({})
  const sourceDevices = useDevices(HomeID).data?.Peripherals
  const targetDevices = useDevices(to).data?.Peripherals
  const isOtherHome = to !== HomeID
  const replacementFor = (uid: string): string | undefined => {
    if (!isOtherHome) return uid
    const choice = replacements[uid]
    if (choice !== undefined) return choice ?? undefined
    const source = sourceDevices?.find(({ PeripheralUID }) => PeripheralUID === uid)
    return optionsFor(source, targetDevices).find(
      ({ PeripheralName }) => PeripheralName === source?.PeripheralName,
    )?.PeripheralUID
  }
  const missing = isOtherHome && uids.length > 0 && !uids.some((uid) => replacementFor(uid) !== undefined)
  const trimmedName = newName.trim()
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      cancelText={t('screens:cancel')}
      okText={t('automation:copy.ok')}
      okButtonProps={{ disabled: trimmedName === '' || missing, loading: busy }}
      onOk={() => copy({ HomeID: to, name: trimmedName, deviceOf: replacementFor })}
    >
      <Form layout="vertical" component="div">
        <Form.Item label={t('automation:copy.newName')}>
          <Input
            aria-label={t('automation:copy.newName')}
            maxLength={MAX_NAME_LENGTH}
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
              setReplacements({})
            }}
          />
        </Form.Item>
        {isOtherHome && (
          <>
            <p className={page.hint}>{t('automation:copy.devices')}</p>
            {note && <p className={page.hint}>{note}</p>}
            {sourceDevices && targetDevices ? (
              uids.map((uid) => {
                const source = sourceDevices.find(({ PeripheralUID }) => PeripheralUID === uid)
                return (
                  <Form.Item key={uid} label={source?.PeripheralName ?? uid}>
                    <Select
                      allowClear
                      showSearch
                      filterOption={holdsLabel}
                      aria-label={t('automation:copy.standsFor', { name: source?.PeripheralName ?? uid })}
                      placeholder={t('automation:copy.leaveOut')}
                      value={replacementFor(uid) ?? null}
                      options={optionsFor(source, targetDevices).map((device) => ({
                        value: device.PeripheralUID,
                        label: device.PeripheralName,
                      }))}
                      onChange={(next) => setReplacements({ ...replacements, [uid]: next ?? null })}
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
  source: Peripheral | undefined,
  targetDevices: readonly Peripheral[] | undefined,
): readonly Peripheral[] =>
  targetDevices?.filter(({ PeripheralType }) => PeripheralType === source?.PeripheralType) ?? []
