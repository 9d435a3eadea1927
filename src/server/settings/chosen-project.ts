/** The choice of a person; without a location the person was asked and chose none. */
export interface ChosenProject {
  readonly location?: string;
}

/**
 * Remembers which of several open projects a person meant, beyond a connection. The places are directories that the
 * client or the operator named; the client is the name it gives itself.
 */
export interface ProjectChoices {
  find(client: string | undefined, places: readonly string[]): Promise<ChosenProject | undefined>;
  keep(client: string | undefined, places: readonly string[], chosen: ChosenProject): Promise<void>;
}
