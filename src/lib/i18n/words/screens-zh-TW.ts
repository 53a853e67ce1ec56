import company from '../../../../locales/zh-TW/company.json'
import devices from '../../../../locales/zh-TW/devices.json'
import lists from '../../../../locales/zh-TW/lists.json'
import personal from '../../../../locales/zh-TW/personal.json'
import screens from '../../../../locales/zh-TW/screens.json'

/** Texts of every screen after the first in one file, to save requests. */
export default { company, devices, lists, personal, screens }
