import type { RouteObject } from 'react-router'
import { RefineFrame } from '../../../src/providers/refine-frame.tsx'
import { openPages } from './page.tsx'

/** Opens pages of resources, with what Refine's pages stand in beside what every page does. */
export const openRefinePages = (pages: RouteObject[], address: string) =>
  openPages([{ element: <RefineFrame />, children: pages }], address)
