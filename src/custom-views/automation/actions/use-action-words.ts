import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import { statuses } from '../../../data/status-store.ts'
import { useFieldWords } from '../../../domain/device/field-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { roomSettings, settable, valueOf, type Setting } from './settable.ts'
import { isGone, typeOf, editedTarget, type EditedAction } from './target.ts'
import type { ActionFacts } from './use-action-facts.ts'

export interface ActionWords {
  /** What an action is for, e.g. a device's name, or a room's lights. */
  nameOf: (action: EditedAction) => string
  /** Where that is: the room of a device, how many devices a group has; '' for nothing to say. */
  placeOf: (action: EditedAction) => string
  /** What a setting is called, with the zone of a thermostat. */
  settingName: (setting: Setting) => string
  /** What values say, each with its field. */
  valuesOf: (settings: readonly Setting[], values: CommandValues | undefined) => string
  /** A whole action in one line. */
  lineOf: (action: EditedAction) => string
}

/** What an action is called, and what it sets, in the person's language. */
export function useActionWords(facts: ActionFacts): ActionWords {
  const t = useT()
  const fields = useFieldWords()
  const { devices, groups, rooms, scenes } = facts
  const roomName = (RoomID: number) => rooms.find((room) => room.RoomID === RoomID)?.RoomName

  const nameOf = (action: EditedAction): string => {
    const target = editedTarget(action)
    switch (target.kind) {
      case 'device':
        return devices.get(target.PeripheralUID)?.PeripheralName ?? target.PeripheralUID
      case 'group':
        return groups.get(target.GroupID)?.GroupName ?? t('automation:actions.group')
      case 'scene':
        return scenes.get(target.SceneID)?.SceneName ?? t('automation:actions.scene')
      case 'room':
        return t(`automation:actions.room.${target.Only}`, {
          room: roomName(target.RoomID) ?? t('automation:actions.goneRoom'),
        })
    }
  }
  const placeOf = (action: EditedAction): string => {
    const target = editedTarget(action)
    if (isGone(target, facts)) return ''
    if (target.kind === 'device') {
      const device = devices.get(target.PeripheralUID)
      return (device && roomName(device.RoomID)) ?? ''
    }
    if (target.kind !== 'group') return ''
    const count = groups.get(target.GroupID)?.PeripheralList.length
    return count === undefined ? '' : t('automation:actions.members', { count })
  }
  const settingName = ({ capability, field, node }: Setting): string => {
    const name = fields.nameOf(capability, field)
    return node === undefined
      ? name
      : t('automation:actions.zoneField', { zone: t('devices:climate.zone', { number: node }), field: name })
  }
  const valuesOf: ActionWords['valuesOf'] = (settings, values) =>
    settings
      .flatMap((setting) => {
        const value = valueOf(setting, values)
        if (value === undefined) return []
        const said = fields.valueOf(setting.capability, setting.field, value) ?? String(value)
        // What can only be switched needs no name for it.
        return settings.length === 1 && setting.shape.as === 'onOff'
          ? [said]
          : [t('devices:commands.set', { field: settingName(setting), value: said })]
      })
      .join(t('screens:listComma'))
  const lineOf = (action: EditedAction): string => {
    const target = editedTarget(action)
    const name = nameOf(action)
    const said = valuesOf(settingsOf(action, facts), action.Values)
    if (target.kind === 'scene' || said === '') return name
    return t('automation:actions.line', { name, values: said })
  }
  return { nameOf, placeOf, settingName, valuesOf, lineOf }
}

/** What of its target an action can set, by what its device last said. */
export function settingsOf(action: EditedAction, facts: ActionFacts): Setting[] {
  const target = editedTarget(action)
  if (target.kind === 'room') return roomSettings(target.Only)
  const known = typeOf(target, facts)
  if (!known) return []
  return settable(known.type, known.uid === undefined ? undefined : statuses.get(known.uid), action.Values)
}
