/** A place for nights: a folder or a remote of rclone, from which a static host serves them. */
export interface Place {
  /** The name as it may be printed. */
  name: string;
  /** Lists our names there, with their sizes. */
  list(): Promise<Map<string, number>>;
  /** Reads the texts of these documents; without those that are missing. */
  readDocuments(names: readonly string[]): Promise<Map<string, string>>;
  /** Puts a file there under a name, completely or not at all, in place of any file with that name. */
  put(file: string, name: string): Promise<void>;
  remove(name: string): Promise<void>;
}
