interface Words {
  shell: { pages: object }
  resources: object
}

const nameOf = (path: string) => {
  const [, file = ''] = /([^/]+)\.json$/.exec(path) ?? []
  return file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Puts each file of `locales/<language>/records/` in its places: `resources:<record>.…`, and its `pages` in `shell:pages.…`. */
export const withRecords = ({ shell, resources }: Words, records: Record<string, object>): Words => ({
  resources: {
    ...resources,
    ...Object.fromEntries(Object.entries(records).map(([path, words]) => [nameOf(path), words])),
  },
  shell: {
    ...shell,
    pages: Object.assign(
      { ...shell.pages },
      ...Object.values(records).map((words) => ('pages' in words ? words.pages : {})),
    ) as object,
  },
})
