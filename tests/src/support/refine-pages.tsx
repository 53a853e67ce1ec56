import type { RouteObject } from 'react-router'
import { RefineFrame } from '../../../src/providers/refine-frame.tsx'
import { openPages } from './page.tsx'

/** Opens pages of resources with Refine's providers in addition to those of every page. */
export const openRefinePages = (pages: RouteObject[], address: string) =>
  openPages([{ element: <RefineFrame />, children: pages }], address)
