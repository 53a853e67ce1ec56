import type { PersonData } from '../../../contract/procedures/people/person-data.ts'
import { safeFileName } from '../../lib/export/file-names.ts'
import { saveFile } from '../../lib/save-file.ts'

/** Saves an export as a JSON file that programs read, indented for people. */
export function savePersonData(name: string, data: PersonData): string {
  const file = `${safeFileName(`${name} ${new Date(data.ExportedAt).toISOString().slice(0, 10)}`)}.json`
  saveFile(file, `${JSON.stringify(data, null, 2)}\n`, 'application/json')
  return file
}
