import type { ResourceProps } from '@refinedev/core'
import { resources, type ResourceName } from '../../contract/index.ts'
import { paths, type PathName } from '../paths.ts'
import { ownLists, records } from '../routes.tsx'

const pattern = (page: PathName | undefined) => page && paths[page].patterns[0]

/** Refine's resources[]: every record of the contract, with the pages that show it. */
export const refineResources: ResourceProps[] = (Object.keys(resources) as ResourceName[]).map((name) => {
  const own: Partial<Record<ResourceName, PathName>> = ownLists
  const { List = own[name], Create, Edit } = records[name] ?? {}
  const pages = { list: pattern(List), create: pattern(Create), edit: pattern(Edit) }
  return { name, ...Object.fromEntries(Object.entries(pages).filter(([, path]) => path !== undefined)) }
})
