import type { PathName } from '../navigation/paths.ts'

/** Screens by page; set by the table of screens, which the shell cannot import. */
let offered: Partial<Record<PathName, unknown>> = {}

export function setScreens(screens: Partial<Record<PathName, unknown>>): void {
  offered = screens
}

export const hasScreen = (name: PathName): boolean => offered[name] !== undefined

/** Index of the view that a path shows; the frame shows its loading state only when this changes. Several paths may share a view. */
export const viewOf = (name: PathName | undefined): number =>
  Object.values(offered).findIndex((screen) => name !== undefined && screen === offered[name])
