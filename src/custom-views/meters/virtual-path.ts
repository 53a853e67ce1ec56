import { pathTo } from '../../navigation/paths.ts'

/** Address of the chart of a virtual meter. */
export const pathOfVirtual = (HomeID: string, id: string): string =>
  `${pathTo('Electricity', { HomeID })}?range=month&meters=${encodeURIComponent(id)}`
