import { useQuery } from '@tanstack/react-query'
import { commands } from '../../../../contract/devices/command-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { displayName } from '../../../../contract/kernel/display-name.ts'
import { callQuery } from '../../../data/api.ts'
import { useMe } from '../../../data/session.ts'

/** So many of a device's last commands are looked through: a calibration takes fewer. */
const LOOKED_THROUGH = 50

interface Calibrator {
  /** As the list of commands names them. */
  name: string
  /** When they asked for their last step, in ms. */
  at: number
}

/** The other person who took the last step of a calibration that is under way; undefined when that was oneself. */
export function useCalibrator(
  { HomeID, PeripheralUID }: Peripheral,
  isUnderWay: boolean,
): Calibrator | undefined {
  const me = useMe()
  const { data } = useQuery({
    ...callQuery(commands.listCommand, { HomeID, PeripheralUID, Limit: LOOKED_THROUGH }),
    enabled: isUnderWay,
  })
  if (!isUnderWay) return undefined
  const last = data?.find(({ Values, Reason }) => 'Calibration' in Values && Reason === null)
  if (!last?.By || (me && last.By === displayName(me))) return undefined
  return { name: last.By, at: last.RequestedAt }
}
