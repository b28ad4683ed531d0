package io.walproof.connector.engine;

import io.walproof.contract.TableId;

/**
 * A table of the source that the filters include.
 *
 * @param table its name
 * @param partitioned whether it has partitions and no rows of its own
 * @param partition whether it is a partition
 * @param root the topmost partitioned table, the table itself if it is no partition
 * @param identified whether updates and deletes can be published
 * @param keyed whether its changes name rows by a key
 * @param primary whether its primary key would identify rows as {@code REPLICA IDENTITY DEFAULT}
 */
record SourceTable(
    TableId table,
    boolean partitioned,
    boolean partition,
    TableId root,
    boolean identified,
    boolean keyed,
    boolean primary) {}
