import type { ResourceProps } from '@refinedev/core'
import { resources, type ResourceName } from '../../contract/index.ts'
import { paths, type PathName, type RecordPath } from '../navigation/paths.ts'
import { listPages, recordPages } from '../routes.tsx'

const pageOf = (name: ResourceName, as: RecordPath['as']): PathName | undefined =>
  recordPages.find((page) => paths[page].record?.name === name && paths[page].record?.as === as)

/** Refine's resources[]: every record of the contract, with the pages that show it. */
export const refineResources: ResourceProps[] = (Object.keys(resources) as ResourceName[]).map((name) => {
  const own: Partial<Record<ResourceName, PathName>> = listPages
  const pages = Object.entries({
    list: own[name] ?? pageOf(name, 'List'),
    create: pageOf(name, 'Create'),
    edit: pageOf(name, 'Edit'),
  })
  return {
    name,
    ...Object.fromEntries(pages.flatMap(([as, page]) => (page ? [[as, paths[page].patterns[0]]] : []))),
  }
})
