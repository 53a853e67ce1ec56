import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { statuses } from '../../../data/status-store.ts'
import { useDeviceFieldWords } from '../../devices/field-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { actionsOf, type DescribedAction } from '../words/actions-sentence.ts'
import { formatPhrase } from '../words/phrase.ts'
import { roomSettings, settable, valueOf, type Setting } from '../targets/settable.ts'
import { isGone, targetTypeOf, editedTarget, type EditedAction } from '../targets/target.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'

export interface ActionWords {
  /** Name of the target, e.g. a device's name, or a room's lights. */
  nameOf: (action: EditedAction) => string
  /** Room of a device, or number of devices in a group; '' for other targets. */
  placeOf: (action: EditedAction) => string
  /** Name of a setting, with the zone of a thermostat. */
  settingName: (setting: Setting) => string
  /** Values in words, each with its field. */
  valuesOf: (settings: readonly Setting[], values: CommandValues | undefined) => string
  /** Target and effect of an action, for use in a sentence. */
  actionOf: (action: EditedAction) => DescribedAction
  lineOf: (action: EditedAction) => string
}

/** Names of targets and values of actions in the user's language. */
export function useActionWords(facts: ActionFacts): ActionWords {
  const t = useT()
  const fields = useDeviceFieldWords()
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
  const settingName = ({ capability, field, node, register }: Setting): string => {
    if (register) return register.Label
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
        // A target with an on/off switch only needs no field name.
        return settings.length === 1 && setting.shape.as === 'onOff'
          ? [said]
          : [t('devices:commands.set', { field: settingName(setting), value: said })]
      })
      .join(t('screens:listComma'))
  const actionOf: ActionWords['actionOf'] = (action) => {
    const target = editedTarget(action)
    const name =
      target.kind === 'room'
        ? t(`automation:rule.ofRoom.${target.Only}`, {
            room: roomName(target.RoomID) ?? t('automation:actions.goneRoom'),
          })
        : nameOf(action)
    if (target.kind === 'scene') return { name, does: 'run' }
    const settings = settingsOf(action, facts)
    const said = settings.filter((setting) => valueOf(setting, action.Values) !== undefined)
    const [switches, others] = [said.filter(isSwitch), said.filter((setting) => !isSwitch(setting))]
    const on = sameOf(switches, action.Values)
    const isWhole = on !== undefined && switches.length === settings.filter(isSwitch).length
    if (isWhole && others.length === 0) return { name, does: on === 1 ? 'on' : 'off' }
    const isOn = switches.length === 0 || (isWhole && on === 1)
    const [only] = others
    const level = isOn && others.length === 1 && only && figureOf(only, action.Values)
    if (level && only.field === 'Brightness') return { name, does: { level } }
    if (isWhole && on === 1)
      return {
        name,
        does: { on: level && only.field === 'TargetTemperature' ? level : valuesOf(others, action.Values) },
      }
    const values = valuesOf(said.length > 1 ? said : settings, action.Values)
    return { name, does: { values: values || t('automation:rule.unknownValues') } }
  }
  const lineOf = (action: EditedAction): string => {
    const said = formatPhrase(t, actionsOf([action], { actionOf }))
    return said.charAt(0).toUpperCase() + said.slice(1)
  }
  const figureOf = (setting: Setting, values: CommandValues | undefined) =>
    fields.valueOf(setting.capability, setting.field, valueOf(setting, values))
  return { nameOf, placeOf, settingName, valuesOf, actionOf, lineOf }
}

/** Whether a setting switches its target, or one relay of it. */
const isSwitch = ({ field, node, register, shape }: Setting): boolean =>
  node === undefined && register === undefined && shape.as === 'onOff' && /^(On|Switch[1-3]?)$/.test(field)

/** Value that all settings have in common; undefined if they differ or have none. */
function sameOf(settings: readonly Setting[], values: CommandValues | undefined): number | undefined {
  const given = new Set(settings.map((setting) => valueOf(setting, values)))
  return given.size === 1 ? [...given][0] : undefined
}

/** Settings that are available for an action, given the last status of its device. */
export function settingsOf(action: EditedAction, facts: ActionFacts): Setting[] {
  const target = editedTarget(action)
  if (target.kind === 'room') return roomSettings(target.Only)
  const known = targetTypeOf(target, facts)
  if (!known) return []
  const status = known.uid === undefined ? undefined : statuses.get(known.uid)
  // Devices of a group may have different tables.
  const rows = target.kind === 'device' ? facts.registers?.get(target.PeripheralUID) : undefined
  return settable(known.type, status, action.Values, rows)
}
