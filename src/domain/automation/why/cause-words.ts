import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import type { Cause, UpcomingAction } from '../../../../contract/automation/run-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { runs } from '../../../../contract/automation/run-calls.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useCommandWords } from '../../devices/commands/command-words.ts'
import { useContainers } from '../../devices/ir-remote/use-containers.ts'
import { useMoments } from './use-moments.ts'

export type CauseText = ResultsOf<typeof runs.explainDevice>

/** Effect on a device: a single switch turned on or off, or something set. */
type Became = 'on' | 'off' | 'set'

/** Source of a change. */
type Behind = 'device' | 'person' | 'scene' | 'schedule' | 'smartLink' | 'ended' | 'undone' | 'automation'

const becameOf = (values: CommandValues): Became => {
  const [[field, value] = [], ...otherValues] = Object.entries(values)
  if (field !== 'Switch' || otherValues.length > 0) return 'set'
  return value === 1 ? 'on' : 'off'
}

/** Values keyed by event paths, converted to the shape of a command. */
function asCommand(values: CommandValues): CommandValues {
  const zones: { NodeID: number }[] = []
  const remaining: CommandValues = {}
  for (const [path, value] of Object.entries(values)) {
    const { field, zone } = readPath(path)
    if (zone === undefined || field === '') remaining[path] = value
    else zones.push({ NodeID: zone, [field]: value })
  }
  return zones.length > 0 ? { ...remaining, ThermostatTable: zones } : remaining
}

export const kindOfType = (type: number): 'schedule' | 'smartLink' | 'alarm' =>
  type === 4 ? 'alarm' : type === 1 || type === 2 ? 'schedule' : 'smartLink'

function behindOf({ Kind, By, Run }: Cause): Behind {
  if (Kind === 'device') return 'device'
  if (!Run) return By === null ? 'automation' : 'person'
  if (Run.Cause === 'undo') return 'undone'
  if (Run.AutomationID === null) return Run.SceneID === null ? 'person' : 'scene'
  if (Run.Cause === 'end' || Run.Cause === 'off') return 'ended'
  return Run.Cause === 'schedule' || Run.Cause === 'booking' ? 'schedule' : 'smartLink'
}

/** Past changes of a device, and the next one, each as a sentence in the home's time zone. */
export function useCauseWords(device: Peripheral): {
  causeOf(cause: Cause): string
  nextOf(action: NextOf): string
} {
  const t = useT()
  const at = useMoments(device.HomeID)
  const containers = useContainers(device)
  const commandText = useCommandWords(device, containers.data)
  return {
    causeOf(cause) {
      const values = asCommand(cause.Values)
      const causeText = {
        at: at(cause.At),
        person: cause.By ?? cause.Run?.By ?? t('automation:why.somebody'),
        name: cause.Run?.Name ?? '',
        values: commandText(values),
      }
      return t(`automation:why.causes.${behindOf(cause)}.${becameOf(values)}`, causeText)
    },
    nextOf({ AutomationType, AutomationName: name, At, Values }) {
      const causeText = {
        name,
        kind: t(`automation:why.kinds.${kindOfType(AutomationType)}`),
        values: commandText(Values),
      }
      const became = becameOf(Values)
      return At === null
        ? t(`automation:why.when.${became}`, causeText)
        : t(`automation:why.next.${became}`, { ...causeText, at: at(At) })
    },
  }
}

type NextOf = (typeof UpcomingAction)['_output']
