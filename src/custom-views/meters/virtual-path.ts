import { pathTo } from '../../navigation/paths.ts'

export const pathOfVirtual = (HomeID: string, id: string): string =>
  `${pathTo('Electricity', { HomeID })}?range=month&meters=${encodeURIComponent(id)}`
