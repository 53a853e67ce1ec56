import { useState } from 'react'
import { useZone } from '../../ui/page/use-zone.ts'

/** Time zone of the lists at the time the form was opened, so that the times in its fields keep their meaning. */
export function useFormZone(): string {
  const zone = useZone()
  return useState(zone)[0]
}
