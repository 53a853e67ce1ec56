import { useState } from 'react'
import { useZone } from '../../ui/page/use-zone.ts'

/** The lists' clock as it was when a form was opened: what stands in its fields keeps its meaning. */
export function useFormZone(): string {
  const zone = useZone()
  return useState(zone)[0]
}
